import { type IncomingMessage, request } from 'node:http';

/** One event, or a lone `retry:` or comment, as received. */
interface Read {
  event?: string;
  id?: number;
  data?: unknown;
  retry?: number;
  comment?: true;
}

/** A live stream, read as a browser does. */
export interface EventReader {
  status: number;
  headers: IncomingMessage['headers'];
  read: Read[];
  /** The body of a response that is no stream. */
  text(): string;
  events(): Read[];
  isEnded(): boolean;
  close(): void;
}

/** Opens a stream. @param url of a service or a gateway */
export function openStream(url: string, token?: string, host?: string): Promise<EventReader> {
  return new Promise((resolve, reject) => {
    const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...(host ? { host } : {}) };
    const sent = request(`${url}/api/events`, { headers, agent: false }, (answer) => {
      let [text, rest, ended] = ['', '', false];
      const read: Read[] = [];
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        const blocks = (rest + piece).split('\n\n');
        rest = blocks.pop() ?? '';
        read.push(...blocks.map(parsed));
      });
      answer
        .on('error', () => undefined)
        .on('close', () => {
          ended = true;
        });
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        read,
        text: () => text,
        events: () => read.filter(({ event }) => event !== undefined),
        isEnded: () => ended,
        close: () => sent.destroy(),
      });
    });
    sent.on('error', reject).end();
  });
}

function parsed(block: string): Read {
  const made: Read = {};
  for (const line of block.split('\n')) {
    const at = line.indexOf(':');
    const value = line.slice(at + 1).trimStart();
    if (at === 0) made.comment = true;
    const field = line.slice(0, at);
    if (field === 'event') made.event = value;
    if (field === 'data') made.data = JSON.parse(value);
    if (field === 'id' || field === 'retry') made[field] = Number(value);
  }
  return made;
}
