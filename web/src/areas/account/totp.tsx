import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { encode } from 'uqr'
import { useAction } from '../../api/actions.ts'
import { client, read } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Card,
  Copy,
  Loaded,
  Modal,
  Tag,
  TextInput,
  told,
  useFormats,
} from '../../ui/index.ts'
import { type Proof, Proven } from './proof.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

const totp = read(['totp'], (signal) => client.GET('/v1/users/me/totp', { signal }))
const CHANGED = [['totp'], ['me']]

/** Codes of an authenticator app, and the recovery codes that replace them. */
export function Totp() {
  const { account } = useTexts()
  const { date } = useFormats()
  const [asking, ask] = useState<'on' | 'off' | 'codes' | null>(null)
  const [started, begin] = useState<{ secret: string; uri: string } | null>(null)
  const [codes, show] = useState<readonly string[] | null>(null)
  const close = () => ask(null)
  const start = useAction(
    (proof: Proof, intent) => client.POST('/v1/users/me/totp', { body: proof, ...intent }),
    {
      done: (made) => {
        close()
        begin(made)
      },
    },
  )
  const end = useAction(
    ({ currentPassword, code = '' }: Proof) =>
      client.DELETE('/v1/users/me/totp', { body: { currentPassword, code } }),
    {
      changes: CHANGED,
      done: () => {
        close()
        told(account.totpDisabled)
      },
    },
  )
  const renew = useAction(
    (proof: Proof, intent) =>
      client.POST('/v1/users/me/recovery-codes', { body: proof, ...intent }),
    {
      changes: CHANGED,
      done: ({ recoveryCodes }) => {
        close()
        show(recoveryCodes)
      },
    },
  )
  const step = { on: start, off: end, codes: renew }[asking ?? 'on']
  const titles = { on: account.turnOnTotp, off: account.turnOffTotp, codes: account.newCodes }
  const verbs = { on: account.turnOn, off: account.turnOff, codes: account.newCodes }
  return (
    <Card title={account.totp}>
      <p className="sub">{account.totpText}</p>
      <Loaded query={useQuery(totp)} waiting="…">
        {({ enabled, enabledAt, recoveryCodesLeft }) => (
          <div className="row wrap below">
            <Tag tone={enabled ? 'active' : 'ended'}>
              {enabledAt ? account.totpOn(date(enabledAt)) : account.totpOff}
            </Tag>
            {enabled ? (
              <span className="sub">{account.recoveryLeft(recoveryCodesLeft)}</span>
            ) : null}
            <span className="row push wrap">
              {enabled ? (
                <>
                  <Button variant="default" onClick={() => ask('codes')}>
                    {account.newCodes}
                  </Button>
                  <Button variant="default" onClick={() => ask('off')}>
                    {account.turnOff}
                  </Button>
                </>
              ) : (
                <Button onClick={() => ask('on')}>{account.turnOn}</Button>
              )}
            </span>
          </div>
        )}
      </Loaded>
      <Proven
        opened={asking !== null}
        close={close}
        title={titles[asking ?? 'on']}
        action={verbs[asking ?? 'on']}
        run={(proof) => step.mutate(proof)}
        isRunning={step.isPending}
        error={step.error}
      />
      <Enrol started={started} close={() => begin(null)} show={show} />
      <RecoveryCodes codes={codes} close={() => show(null)} />
    </Card>
  )
}

type EnrolProps = {
  readonly started: { readonly secret: string; readonly uri: string } | null
  readonly close: () => void
  readonly show: (codes: readonly string[]) => void
}

function Enrol({ started, close, show }: EnrolProps) {
  const { account } = useTexts()
  const [code, setCode] = useState('')
  const confirm = useAction(
    (typed: string, intent) =>
      client.POST('/v1/users/me/totp/confirm', { body: { code: typed }, ...intent }),
    {
      changes: CHANGED,
      done: ({ recoveryCodes }) => {
        close()
        setCode('')
        told(account.totpEnabled)
        if (recoveryCodes) show(recoveryCodes)
      },
    },
  )
  return (
    <Modal opened={started !== null} onClose={close} title={account.totp}>
      {started ? (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault()
            confirm.mutate(code.trim())
          }}
        >
          <p className="dim">{account.scan}</p>
          <QrCode text={started.uri} label={account.scan} />
          <Copy value={started.secret} label={account.secret} />
          <TextInput
            label={account.confirmCode}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            value={code}
            error={confirm.error?.message}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <div className="row ends">
            <Button type="submit" loading={confirm.isPending}>
              {account.confirm}
            </Button>
          </div>
        </form>
      ) : null}
    </Modal>
  )
}

/** Always dark on white: cameras do not read other colours reliably. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { border: 2 })
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <svg role="img" aria-label={label} className="qr" viewBox={`0 0 ${size} ${size}`}>
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
