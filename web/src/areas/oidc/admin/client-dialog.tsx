import type { components } from '@moorage/client'
import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Checkbox,
  FormDialog,
  NumberField,
  Switch,
  Textarea,
  TextInput,
  told,
} from '../../../ui/index.ts'

export type Client = components['schemas']['OauthClient']

const SCOPES = ['openid', 'profile', 'email', 'offline_access', 'services'] as const

const SECONDS_PER_HOUR = 3600

const linesOf = (text: string) => text.split(/\s+/).filter(Boolean)

const fieldsOf = (it: Client) => ({
  ...{ name: it.name, scopes: it.scopes, requireVerifiedEmail: it.requireVerifiedEmail },
  redirectUris: it.redirectUris.join('\n'),
  postLogoutRedirectUris: it.postLogoutRedirectUris.join('\n'),
  overlapHours: it.secretOverlapSeconds / SECONDS_PER_HOUR,
})

type Props = {
  readonly client: Client
  readonly close: () => void
}

/** The settings of an application. */
export function ClientDialog({ client: known, close }: Props) {
  const { integrations: texts } = useAdminTexts()
  const params = { path: { id: known.id } }
  const form = useForm({
    name: `oauth-client:${known.id}`,
    saved: fieldsOf(known),
    call: ({ name, overlapHours, requireVerifiedEmail, scopes, ...uris }, intent) =>
      client.PATCH('/v1/admin/oauth-clients/{id}', {
        params,
        body: {
          ...{ name: name.trim(), requireVerifiedEmail, scopes },
          redirectUris: linesOf(uris.redirectUris),
          postLogoutRedirectUris: linesOf(uris.postLogoutRedirectUris),
          secretOverlapSeconds: Math.round(overlapHours * SECONDS_PER_HOUR),
        },
        ...intent,
      }),
    edits: { read: () => client.GET('/v1/admin/oauth-clients/{id}', { params }), fieldsOf },
    changes: [['oauth-clients']],
    done: () => {
      told(texts.clientSaved)
      close()
    },
  })
  const { fields, set, text, flag, errors } = form
  return (
    <FormDialog
      atSide
      title={known.name}
      form={form}
      close={close}
      save={texts.save}
      isIncomplete={fields.scopes.length === 0 || linesOf(fields.redirectUris).length === 0}
    >
      <TextInput {...text('name')} label={texts.clientName} required data-autofocus />
      <Textarea
        {...text('redirectUris')}
        label={texts.redirects}
        description={texts.redirectsHint}
        required
        autosize
        minRows={2}
      />
      <Textarea
        {...text('postLogoutRedirectUris')}
        label={texts.logoutRedirects}
        description={texts.logoutRedirectsHint}
        autosize
        minRows={2}
      />
      <fieldset className="plain stack s8">
        <legend className="legend-label">{texts.clientScopesLabel}</legend>
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            label={texts.clientScopes[scope]}
            checked={fields.scopes.includes(scope)}
            onChange={({ currentTarget: { checked } }) =>
              set({ scopes: SCOPES.filter((it) => (it === scope ? checked : has(fields, it))) })
            }
          />
        ))}
      </fieldset>
      <Switch
        {...flag('requireVerifiedEmail')}
        label={texts.confirmedOnly}
        description={texts.confirmedOnlyHint}
      />
      {known.type === 'confidential' ? (
        <NumberField
          name="overlapHours"
          label={texts.overlap}
          description={texts.overlapHint}
          unit={texts.hours}
          digits={2}
          value={fields.overlapHours}
          error={errors.secretOverlapSeconds}
          change={(hours) => set({ overlapHours: hours ?? 0 })}
        />
      ) : null}
    </FormDialog>
  )
}

const has = ({ scopes }: Pick<Client, 'scopes'>, scope: (typeof SCOPES)[number]) =>
  scopes.includes(scope)
