import { Type } from 'typebox'

const closed = { additionalProperties: false } as const

export const PaypalSettings = Type.Object(
  {
    brandName: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 127,
        description: 'The name people read on PayPal’s page; the account’s, if unset.',
      }),
    ),
  },
  closed,
)

const Credential = Type.String({ pattern: '^[A-Za-z0-9_-]{20,200}$' })
const WebhookId = Type.String({ pattern: '^[A-Za-z0-9-]{5,60}$' })

/**
 * `webhookSecret` is the id of our webhook at PayPal, which is part of what PayPal signs. The
 * service registers the webhook and stores its id.
 */
export const PaypalSecrets = Type.Object(
  {
    clientId: Credential,
    clientSecret: Credential,
    webhookSecret: Type.Optional(WebhookId),
    webhookSecretPrevious: Type.Optional(WebhookId),
  },
  closed,
)
