export declare const CHROMIUM: string;
export declare const CHROMIUM_FLAGS: string[];
export declare function chromiumBinary(): Promise<string>;
export declare const CHROMIUM_LAUNCH: { executablePath: string; args: string[] };
export declare function sandboxedLaunch(uid?: number): {
  executablePath: string;
  args: string[];
  chromiumSandbox: boolean;
};
