/**
 * The parts that cards use. Satori's own types import those of React, whose empty elements conflict with the DOM types
 * (mapped in tsconfig.node.json).
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
  /** Called for each box after layout, px. */
  onNodeDetected?(node: SatoriNode): void;
}

/** Lays out elements and returns their SVG, with letters as paths. */
export default function satori(element: object, options: SatoriOptions): Promise<string>;
