// The rules of `n8n-node lint` (@n8n/node-cli 0.48) for everything that ships, composed here because
// @n8n/node-cli itself pulls in packages that development does not need. See docs/adr/0003.
import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

const shipped = ['nodes/**/*.ts', 'credentials/**/*.ts'];
const community = n8nCommunityNodesPlugin.configs.recommended;

export default tseslint.config(
	{ ignores: ['dist', 'coverage', '.cache', '**/node_modules'] },
	{ linterOptions: { noInlineConfig: true } },
	{
		files: shipped,
		extends: [
			js.configs.recommended,
			tseslint.configs.recommended,
			community,
			importX.configs['flat/recommended'],
		],
		rules: { 'prefer-spread': 'off', 'no-console': 'error' },
	},
	{
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
	},
	{
		files: ['package.json'],
		extends: [community],
		rules: { ...n8nNodesBase.configs.community.rules },
		languageOptions: {
			parser: tseslint.parser,
			parserOptions: { extraFileExtensions: ['.json'] },
		},
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
	{
		files: ['test/**/*.ts', 'playground/**/*.ts', '*.mts'],
		extends: [js.configs.recommended, tseslint.configs.recommended],
	},
	{
		files: ['gulpfile.js'],
		extends: [js.configs.recommended],
		languageOptions: { sourceType: 'commonjs' },
	},
);
