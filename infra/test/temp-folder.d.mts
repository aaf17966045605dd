export function ownTempFolder(): string;
