import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const CELLS = 5;
const CELL_PIXELS = 24;
const MARGIN_PIXELS = 4;
const SIDE = CELLS * CELL_PIXELS + 2 * MARGIN_PIXELS;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Draws an avatar like Discord's CDN: a PNG of 128 x 128 with a symmetric pattern in one of six colours. The same hash
 * gives the same picture.
 */
export function pictureOf(avatar: string): Buffer {
  const bits = createHash('sha256').update(avatar).digest();
  const colours = [
    [88, 101, 242],
    [31, 122, 77],
    [168, 83, 43],
    [163, 49, 95],
    [25, 112, 138],
    [106, 75, 181],
  ] as const;
  const colour = colours[(bits[31] ?? 0) % colours.length] ?? colours[0];
  const isSet = (x: number, y: number) => {
    const column = Math.min(x, CELLS - 1 - x);
    return ((bits[y * CELLS + column] ?? 0) & 1) === 1;
  };
  const rows = Array.from({ length: SIDE }, (_, py) => {
    const row = Buffer.alloc(1 + SIDE * 3);
    for (let px = 0; px < SIDE; px++) {
      const x = Math.floor((px - MARGIN_PIXELS) / CELL_PIXELS);
      const y = Math.floor((py - MARGIN_PIXELS) / CELL_PIXELS);
      const inside = x >= 0 && y >= 0 && x < CELLS && y < CELLS;
      const shade = inside && isSet(x, y) ? [240, 242, 250] : colour;
      row.set(shade, 1 + px * 3);
    }
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8 + body.length);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), 4 + body.length);
  return frame;
}
