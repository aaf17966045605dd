export function callerKeyOf(gatewayKey: string, service: string): string;
