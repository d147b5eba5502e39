import type { FastifyContextConfig } from 'fastify'

/** The kinds of credentials in the API document. */
export const SECURITY_SCHEMES = {
  session: {
    type: 'http',
    scheme: 'bearer',
    description: 'The access token of a session, from signing in.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key. `read`: a key of either kind. `read-write`: a key that may write. Anything else is a permission that the owner of the key must hold.',
  },
  botToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of a bot. The scopes of an operation are scopes of the token.',
  },
  daemonToken: { type: 'http', scheme: 'bearer', description: 'The daemon token of a node.' },
  deliveryToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The call-back token of a product with the delivery `webhook`.',
  },
  metricsToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token in `MOORAGE_METRICS_TOKEN`.',
  },
  oidcAccessToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token that `oidc.token` issued to an application.',
  },
  oauthClient: {
    type: 'http',
    scheme: 'basic',
    description: 'The id and the secret of an OAuth client; both may stand in the form instead.',
  },
  providerSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'Stripe-Signature',
    description:
      'The signature of the payment provider over the raw body, in the header that the provider uses. Mollie signs nothing: the payment is read back from Mollie.',
  },
} as const

type Requirement = Record<string, string[]>

const OF_THEIR_OWN = {
  metrics: [{ metricsToken: [] }],
  oidc: [{ oidcAccessToken: [] }],
  oauthClient: [{ oauthClient: [] }, {}],
  delivery: [{ deliveryToken: [] }],
  provider: [{ providerSignature: [] }, {}],
} as const satisfies Record<string, readonly Requirement[]>

/** Which credentials a route takes, each with what it must be allowed to do. */
export function securityOf(method: string, config: FastifyContextConfig): readonly Requirement[] {
  const { access = 'public', permission, credential } = config
  if (credential) return OF_THEIR_OWN[credential]
  const wanted = permission ? [permission] : []
  if (access === 'public') return []
  if (access === 'bot') return [{ botToken: wanted }]
  if (access === 'daemon') return [{ daemonToken: wanted }]
  return [{ session: wanted }, { apiKey: [method === 'GET' ? 'read' : 'read-write', ...wanted] }]
}

/** Who may call a route, in a sentence for its description. */
export function accessTextOf(method: string, config: FastifyContextConfig): string {
  const { access = 'public', permission, credential } = config
  const key = method === 'GET' ? 'an API key' : 'a read-write API key'
  if (credential === 'metrics') return 'Requires the metrics token.'
  if (credential === 'oidc') return 'Requires an access token of an application.'
  if (credential === 'oauthClient') return 'Requires the credentials of an OAuth client.'
  if (credential === 'delivery') return 'Requires the call-back token of the product.'
  if (credential === 'provider') return 'Called by payment providers.'
  if (access === 'public') return 'Public: no credential is required.'
  if (access === 'bot') return `Requires a bot token with the scope \`${permission}\`.`
  if (access === 'daemon') return 'Requires the daemon token of a node.'
  if (access === 'user') return `Requires a session or ${key}.`
  if (config.anyStaff) return 'For staff; shows what the caller’s permissions cover.'
  return `Requires \`${permission}\`.`
}
