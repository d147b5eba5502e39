import { type Static, Type } from 'typebox'
import { Body, Named, OneOf, Resource } from '#lib/schema.ts'
import { KINDS } from './policy.ts'

const KindName = Named('NotificationKind', OneOf(KINDS))

const Switch = Resource('NotificationSwitch', {
  enabled: Type.Boolean(),
  locked: Type.Boolean({ description: 'Whether it cannot be changed' }),
})

export const KindPreference = Resource('NotificationPreference', {
  kind: KindName,
  label: Type.String({ description: 'What the kind is called, in the language of the person' }),
  inApp: Switch,
  email: Switch,
  discord: Switch,
})
export type KindPreference = Static<typeof KindPreference>

export const PreferenceChange = Body({
  kind: KindName,
  inApp: Type.Optional(Type.Boolean()),
  email: Type.Optional(Type.Boolean()),
  discord: Type.Optional(Type.Boolean()),
})
export type PreferenceChange = Static<typeof PreferenceChange>

export const Preferences = Resource('NotificationPreferences', { data: Type.Array(KindPreference) })

export const PreferencesChange = Body({
  data: Type.Array(PreferenceChange, { minItems: 1, maxItems: 100 }),
})
