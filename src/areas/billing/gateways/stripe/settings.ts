import { Type } from 'typebox'

const closed = { additionalProperties: false } as const

function settings(publishableKey: string) {
  return Type.Object(
    {
      publishableKey: Type.Optional(
        Type.String({
          pattern: publishableKey,
          description: 'Needed only where a front end shows the card form itself.',
        }),
      ),
      allowedPaymentMethodTypes: Type.Optional(
        Type.Array(Type.String({ pattern: '^[a-z0-9_]{2,40}$' }), {
          minItems: 1,
          maxItems: 20,
          uniqueItems: true,
          description:
            'Ways to pay offered on the hosted page; all that the account has, if unset.',
        }),
      ),
    },
    closed,
  )
}

function secrets(secretKey: string, example: string) {
  const webhookSecret = Type.String({ pattern: '^whsec_[!-~]{8,}$', examples: ['whsec_…'] })
  return Type.Object(
    {
      secretKey: Type.String({ pattern: secretKey, examples: [example] }),
      webhookSecret: Type.Optional(webhookSecret),
      // The previous secret: both are accepted while a new endpoint takes over.
      webhookSecretPrevious: Type.Optional(webhookSecret),
    },
    closed,
  )
}

export const StripeSettings = settings('^pk_(test|live)_[!-~]+$')
export const StripeSecrets = secrets(
  '^(sk|rk)_(test|live)_[!-~]+$',
  'sk_live_…, rk_live_…, sk_test_… or rk_test_…',
)

/** The sandbox provider takes only test keys. */
export const SandboxSettings = settings('^pk_test_[!-~]+$')
export const SandboxSecrets = secrets('^sk_test_[!-~]+$', 'sk_test_…')
