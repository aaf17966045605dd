export function opsPortOf(port: number): number;
export function opsUrlOf(url: string): string;
