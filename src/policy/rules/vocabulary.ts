/** The words of the rules file. The schema for editors is made of the same ones. */
export const EFFECTS = ['allow', 'ask', 'deny'] as const;
export const SECRETS_IN_RESULTS = ['mask', 'block', 'keep'] as const;
export const ACTIONS = ['connect', 'list', 'call'] as const;
export const RISKS = ['read', 'write', 'destructive', 'unknown'] as const;
export const REQUESTERS = ['person', 'host', 'program'] as const;

export const RULES_FIELDS = ['$schema', 'defaults', 'rules', 'secretsInResults'] as const;
export const CALL_RULE_FIELDS = ['name', 'when', 'then'] as const;
export const DATA_RULE_FIELDS = ['name', 'from', 'to', 'then'] as const;
export const WHEN_FIELDS = ['action', 'server', 'tool', 'risk', 'args', 'requester'] as const;

/** What happens to secrets that stand in a result. */
export type SecretsInResults = (typeof SECRETS_IN_RESULTS)[number];
