import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, read } from '../../../api/client.ts'
import { orNull, useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  Card,
  Faulty,
  Loaded,
  Notice,
  Page,
  PasswordInput,
  RemoveButton,
  Select,
  Tag,
  TextInput,
  told,
  useChange,
  useFormats,
} from '../../../ui/index.ts'

type Servers = components['schemas']['MailServers']
type Server = NonNullable<Servers['own']>
type Security = Server['security']
type Result = components['schemas']['MailTest']

const SECURITIES: readonly Security[] = ['starttls', 'tls', 'none']
const PORTS: Readonly<Record<Security, string>> = { starttls: '587', tls: '465', none: '25' }
const CHANGES = [
  ['mail-server'],
  ['mails'],
  ['admin', 'readiness'],
  ['admin', 'attention'],
] as const

const mailServer = read(['mail-server'], (signal) =>
  client.GET('/v1/admin/mail-server', { signal }),
)

/** The page of the mail server, outside of the first run. */
export function MailServerPage() {
  const { mails } = useAdminTexts()
  return (
    <Page title={mails.server.title} sub={mails.server.sub}>
      <div className="stack s24 form-page">
        <MailServerCards />
      </div>
    </Page>
  )
}

/** The mail server of the shop, and a test mail. */
export function MailServerCards() {
  return <Loaded query={useQuery(mailServer)}>{(servers) => <Cards servers={servers} />}</Loaded>
}

function Cards({ servers: { own, platform } }: { servers: Servers }) {
  const { mails } = useAdminTexts()
  const { server: texts } = mails
  const mayWrite = useMay()('system:write')
  const test = useMailTest()
  const lead = own ? texts.ownText(platform) : platform ? texts.platformText : texts.noneText
  return (
    <>
      <Card title={texts.title} right={own ? <Status server={own} /> : null}>
        <div className="stack form-width">
          <p className="dim">{lead}</p>
          {own?.message ? <Failing server={own} /> : null}
          {mayWrite ? <Form own={own} saved={test.run} /> : own ? <p>{own.host}</p> : null}
        </div>
      </Card>
      {mayWrite && (own || platform) ? (
        <Card title={texts.test}>
          <div className="stack form-width">
            <p className="dim">{texts.testText}</p>
            {test.result && !test.isRunning ? <Tested result={test.result} /> : null}
            <div className="row">
              <Button variant="default" loading={test.isRunning} onClick={test.run}>
                {texts.send}
              </Button>
            </div>
          </div>
        </Card>
      ) : null}
    </>
  )
}

function useMailTest() {
  const [result, show] = useState<Result | null>(null)
  const test = useChange((_: null, intent) => client.POST('/v1/admin/mails/test', { ...intent }), {
    changes: CHANGES,
    done: show,
  })
  return { result, run: () => test.mutate(null), isRunning: test.isPending }
}

function Status({ server: { status } }: { server: Server }) {
  const { mails } = useAdminTexts()
  const tones = { unknown: 'waiting', ok: 'active', unhealthy: 'failed' } as const
  return <Tag tone={tones[status]}>{mails.server.status[status]}</Tag>
}

function Failing({ server: { failingSince, message } }: { server: Server }) {
  const { mails } = useAdminTexts()
  const { moment } = useFormats()
  return (
    <Notice
      tone="failed"
      title={mails.server.failing(failingSince === null ? '' : moment(failingSince))}
    >
      {message}
    </Notice>
  )
}

function Tested({ result: { ok, recipient, message } }: { result: Result }) {
  const { mails } = useAdminTexts()
  const { server: texts } = mails
  return ok ? (
    <Notice tone="active" title={texts.accepted}>
      {texts.acceptedText(recipient)}
    </Notice>
  ) : (
    <Notice tone="failed" title={texts.notAccepted}>
      {message}
    </Notice>
  )
}

function fieldsOf(own: Server | null) {
  const security: Security = own?.security ?? 'starttls'
  return {
    host: own?.host ?? '',
    port: String(own?.port ?? PORTS[security]),
    security,
    username: own?.username ?? '',
  }
}

function Form({ own, saved }: { own: Server | null; saved: () => void }) {
  const { mails } = useAdminTexts()
  const { server: texts } = mails
  const form = useForm({
    name: 'mail-server',
    saved: fieldsOf(own),
    secrets: { password: '' },
    call: ({ host, port, security, username, password }, intent) =>
      client.PUT('/v1/admin/mail-server', {
        body: {
          ...{ host: host.trim(), port: Number(port), security, username: orNull(username) },
          ...(password !== '' && { password }),
        },
        ...intent,
      }),
    edits: null,
    changes: CHANGES,
    done: () => {
      told(texts.saved)
      saved()
    },
  })
  const { text, choice, fields } = form
  const choose = (security: Security) => {
    // A port that was typed is not replaced.
    const isUsual = SECURITIES.some((it) => PORTS[it] === fields.port)
    form.set({ security, ...(isUsual && { port: PORTS[security] }) })
  }
  const keeps = own !== null && own.username !== null && own.username === fields.username
  return (
    <form className="stack" onSubmit={form.submit}>
      <Faulty fault={form.fault} />
      <TextInput {...text('host')} label={texts.host} required autoComplete="off" />
      <Select
        {...choice('security')}
        label={texts.security}
        allowDeselect={false}
        data={SECURITIES.map((value) => ({ value, label: texts.securities[value] }))}
        onChange={(value) => choose(SECURITIES.find((it) => it === value) ?? 'starttls')}
      />
      <TextInput
        {...text('port')}
        label={texts.port}
        required
        inputMode="numeric"
        pattern="[0-9]{1,5}"
        autoComplete="off"
      />
      {fields.security === 'none' ? null : <SignIn form={form} keeps={keeps} />}
      <div className="row between wrap">
        <Button type="submit" loading={form.isSaving}>
          {texts.save}
        </Button>
        {own ? <Remove /> : null}
      </div>
    </form>
  )
}

type SignInProps = {
  readonly form: { readonly text: (field: 'username' | 'password') => object }
  /** Whether the stored password is kept if none is entered. */
  readonly keeps: boolean
}

function SignIn({ form: { text }, keeps }: SignInProps) {
  const { mails } = useAdminTexts()
  const { server: texts } = mails
  return (
    <>
      <TextInput
        {...text('username')}
        label={texts.username}
        description={texts.usernameHint}
        autoComplete="off"
      />
      <PasswordInput
        {...text('password')}
        label={texts.password}
        description={keeps ? texts.keepPassword : null}
        autoComplete="new-password"
      />
    </>
  )
}

function Remove() {
  const { mails } = useAdminTexts()
  const { server: texts } = mails
  return (
    <RemoveButton
      verb={texts.remove}
      title={texts.removeTitle}
      call={() => client.DELETE('/v1/admin/mail-server')}
      changes={CHANGES}
      told={texts.removed}
    >
      {texts.removeText}
    </RemoveButton>
  )
}
