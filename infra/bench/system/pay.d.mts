export function pay(origin: string, order: { treasury: string; reference: string; lamports: number }): Promise<string>;
