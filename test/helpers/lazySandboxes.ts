/**
 * Makes n8n create its expression sandbox on first use, which handles events six times as fast. For layers that do
 * not test n8n itself; e2e and the search for secrets keep n8n's default.
 */
export const lazySandboxes = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
