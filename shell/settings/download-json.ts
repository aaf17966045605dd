/** After it every browser has read the file, ms: some begin only once the click is over. */
const READ_MS = 60_000;

/** Gives the user a file to keep. */
export function downloadJson(data: unknown, fileName: string): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName.replace(/[^\w.-]+/g, '_');
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), READ_MS);
}
