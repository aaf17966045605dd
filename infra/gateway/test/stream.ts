import { type IncomingMessage, request } from 'node:http';

/** A stream as its reader has it so far. */
export interface PassedStream {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  isEnded(): boolean;
  close(): void;
}

/** Opens the live stream through a gateway. */
export function openStream(port: number, host: string, token?: string): Promise<PassedStream> {
  return new Promise((resolve, reject) => {
    const headers = { host, ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const sent = request({ port, host: '127.0.0.1', path: '/api/events', headers, agent: false }, (answer) => {
      let ended = false;
      const stream: PassedStream = {
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        text: '',
        isEnded: () => ended,
        close: () => sent.destroy(),
      };
      answer.setEncoding('utf8').on('data', (piece: string) => {
        stream.text += piece;
      });
      answer
        .on('error', () => undefined)
        .on('close', () => {
          ended = true;
        });
      resolve(stream);
    });
    sent.on('error', reject).end();
  });
}
