module.exports = {
	useTabs: true,
	singleQuote: true,
	trailingComma: 'all',
	printWidth: 100,
	endOfLine: 'lf',
	overrides: [{ files: ['*.md', '*.yml', '*.yaml'], options: { useTabs: false, tabWidth: 2 } }],
};
