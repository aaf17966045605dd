/** Time for the browser to read the file, ms; some start only after the click. */
const READ_MS = 60_000;

/** Downloads data as a JSON file. */
export function downloadJson(data: unknown, fileName: string): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName.replace(/[^\w.-]+/g, '_');
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), READ_MS);
}
