import { Type } from 'typebox'

const closed = { additionalProperties: false } as const

export const MollieSettings = Type.Object(
  {
    methods: Type.Optional(
      Type.Array(Type.String({ pattern: '^[a-z0-9]{2,40}$' }), {
        minItems: 1,
        maxItems: 20,
        uniqueItems: true,
        description: 'Ways to pay offered on the hosted page; all that the profile has, if unset.',
      }),
    ),
  },
  closed,
)

function secrets(apiKey: string, example: string) {
  return Type.Object({ apiKey: Type.String({ pattern: apiKey, examples: [example] }) }, closed)
}

export const MollieSecrets = secrets('^(test|live)_[A-Za-z0-9]{20,100}$', 'live_… or test_…')

/** The stand-in for Mollie takes only test keys. */
export const SandboxMollieSecrets = secrets('^test_[A-Za-z0-9]{20,100}$', 'test_…')
