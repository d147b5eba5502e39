import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../api/actions.ts'
import { client, read } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Button, Card, I, Loaded, refused, TextInput, told, useFormats } from '../../ui/index.ts'
import { type Proof, Proven } from './proof.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type Passkey = components['schemas']['Passkey']

const passkeys = read(['passkeys'], (signal) => client.GET('/v1/users/me/passkeys', { signal }))
/** Reads to invalidate after a change of the ways to sign in. */
const CHANGED = [['passkeys'], ['me'], ['totp']]

export function Passkeys() {
  const { account, common } = useTexts()
  const { ago, date } = useFormats()
  const [isAdding, add] = useState(false)
  const [removing, remove] = useState<Passkey | null>(null)
  const [codes, show] = useState<readonly string[] | null>(null)
  const removal = useAction(
    ({ id, proof }: { id: string; proof: Proof }) =>
      client.DELETE('/v1/users/me/passkeys/{id}', { params: { path: { id } }, body: proof }),
    {
      changes: CHANGED,
      done: () => {
        remove(null)
        told(common.saved)
      },
    },
  )
  return (
    <Card
      title={account.passkeys}
      right={
        <Button
          size="compact-sm"
          leftSection={<I.Plus size={15} aria-hidden />}
          onClick={() => add(true)}
        >
          {account.addPasskey}
        </Button>
      }
    >
      <p className="sub">{account.passkeysText}</p>
      <Loaded query={useQuery(passkeys)} waiting="…">
        {({ data }) =>
          data.length === 0 ? (
            <p className="below">{account.noPasskeys}</p>
          ) : (
            <ul className="methods">
              {data.map((passkey) => (
                <li key={passkey.id}>
                  <I.Key size={20} stroke={1.75} aria-hidden className="icon dim" />
                  <span className="grow">
                    {passkey.name}
                    <span className="sub block">
                      {account.added(date(passkey.createdAt))} ·{' '}
                      {passkey.lastUsedAt
                        ? account.lastUsed(ago(passkey.lastUsedAt))
                        : account.neverUsed}
                    </span>
                  </span>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`${account.remove}: ${passkey.name}`}
                    onClick={() => remove(passkey)}
                  >
                    {account.remove}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <AddPasskey opened={isAdding} close={() => add(false)} show={show} />
      <Proven
        opened={removing !== null}
        close={() => remove(null)}
        title={account.removePasskey(removing?.name ?? '')}
        action={account.remove}
        run={(proof) => removing && removal.mutate({ id: removing.id, proof })}
        isRunning={removal.isPending}
        error={removal.error}
      />
      <RecoveryCodes codes={codes} close={() => show(null)} />
    </Card>
  )
}

type AddProps = {
  readonly opened: boolean
  readonly close: () => void
  readonly show: (codes: readonly string[]) => void
}

type Created = { toJSON(): RegistrationResponseJSON }

/** Asks for the proof, then the device, then sends the new passkey of the device to the service. */
function AddPasskey({ opened, close, show }: AddProps) {
  const { account, common } = useTexts()
  const [name, setName] = useState('')
  const keep = useAction(
    (response: RegistrationResponseJSON, intent) =>
      client.POST('/v1/users/me/passkeys', {
        // The browser's response is what the service expects; only their types are written differently.
        body: { response: response as never, ...(name.trim() && { name: name.trim() }) },
        ...intent,
      }),
    {
      changes: CHANGED,
      done: ({ recoveryCodes }) => {
        close()
        setName('')
        told(account.passkeyAdded)
        if (recoveryCodes) show(recoveryCodes)
      },
      failed: (error) => refused(common.refused, error.message),
    },
  )
  const begin = useAction(
    (proof: Proof, intent) =>
      client.POST('/v1/users/me/passkeys/options', { body: proof, ...intent }),
    {
      done: async (options) => {
        try {
          const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
            options as PublicKeyCredentialCreationOptionsJSON,
          )
          const made = (await navigator.credentials.create({
            publicKey,
          })) as unknown as Created | null
          if (made) keep.mutate(made.toJSON())
        } catch {
          refused(account.passkeyCanceled, '')
        }
      },
    },
  )
  if (!('PublicKeyCredential' in window)) {
    return opened ? <p role="status">{account.passkeyUnsupported}</p> : null
  }
  return (
    <Proven
      opened={opened}
      close={close}
      title={account.addPasskey}
      action={account.addPasskey}
      run={(proof) => begin.mutate(proof)}
      isRunning={begin.isPending || keep.isPending}
      error={begin.error}
    >
      <TextInput
        label={account.passkeyName}
        value={name}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </Proven>
  )
}
