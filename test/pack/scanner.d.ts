/** The scanner has no types of its own. */
declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	export const SOURCE_FILE_PATTERNS: string[];
	/** `message` without `passed: false` means that nothing was looked at. */
	export const analyzePackage: (
		folder: string,
		patterns: string[],
	) => Promise<{ passed: boolean; message?: string; details?: string }>;
}
