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

/** The credentials that a route accepts, each with the permissions that it needs. */
export function securityOf(method: string, config: FastifyContextConfig): readonly Requirement[] {
  const { access = 'public', permission, credential } = config
  if (credential) return OF_THEIR_OWN[credential]
  const wanted = permission ? [permission] : []
  if (access === 'public') return []
  if (access === 'bot') return [{ botToken: wanted }]
  if (access === 'daemon') return [{ daemonToken: wanted }]
  return [{ session: wanted }, { apiKey: [method === 'GET' ? 'read' : 'read-write', ...wanted] }]
}

const ACCESS_TEXTS: Readonly<Record<string, string>> = {
  metricsToken: 'Requires the metrics token.',
  oidcAccessToken: 'Requires an access token of an application.',
  oauthClient: 'Requires the credentials of an OAuth client.',
  deliveryToken: 'Requires the call-back token of the product.',
  providerSignature: 'Called by payment providers.',
  daemonToken: 'Requires the daemon token of a node.',
}

/** Who may call an operation, as a sentence for readers. It is derived from its `security`, which is for programs. */
export function accessTextOf(security: readonly Requirement[]): string {
  const [[kind, scopes = []] = ['', []]] = security.flatMap((it) => Object.entries(it))
  const [permission] = scopes
  if (ACCESS_TEXTS[kind]) return ACCESS_TEXTS[kind]
  if (kind === '') return 'Public: no credential is required.'
  if (kind === 'botToken') return `Requires a bot token with the scope \`${permission}\`.`
  if (permission) return `Requires \`${permission}\`.`
  const isRead = security.some(({ apiKey }) => apiKey?.includes('read'))
  return `Requires a session or ${isRead ? 'an API key' : 'a read-write API key'}.`
}
