/**
 * As far as cards use it. Its own types bring those of React along, whose empty elements stand in the way of whoever
 * has the browser's (tsconfig.node.json leads here).
 */
export interface Font {
  name: string;
  data: Buffer;
  weight: 400;
  style: 'normal';
}

export interface SatoriNode {
  left: number;
  top: number;
  width: number;
  height: number;
  textContent?: string;
}

export interface SatoriOptions {
  width: number;
  height: number;
  /** In the order in which they are searched for a letter that the element's own families lack. */
  fonts: Font[];
  /** Called for each box that is laid out, px. */
  onNodeDetected?(node: SatoriNode): void;
}

/** Lays elements out and gives the SVG of them, letters as paths. */
export default function satori(element: object, options: SatoriOptions): Promise<string>;
