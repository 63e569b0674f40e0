/**
 * n8n makes the sandbox for an expression when the first one is met, and so takes events six times as fast.
 * For layers that are not about n8n's own engine; e2e and the search for secrets keep its default.
 */
export const lazySandboxes = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
