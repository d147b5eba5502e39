import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { fieldErrors } from '../../api/actions.ts'
import { me } from '../../api/reads.ts'
import { useTexts } from '../../texts/index.tsx'
import { Button, Modal, PasswordInput, TextInput } from '../../ui/index.ts'

/** Proves that the person themselves changes how they sign in. */
export type Proof = { readonly currentPassword: string; readonly code?: string }

type ProofFieldsProps = {
  readonly proof: Proof
  readonly set: (proof: Proof) => void
  readonly error: Error | null
}

/** The password, and a code if a second factor is set. */
export function ProofFields({ proof, set, error }: ProofFieldsProps) {
  const { account } = useTexts()
  const hasFactor = useQuery(me).data?.mfaEnabled ?? false
  const errors = fieldErrors(error)
  const isOfField = 'currentPassword' in errors || 'code' in errors
  return (
    <>
      <PasswordInput
        label={account.currentPassword}
        autoComplete="current-password"
        required
        value={proof.currentPassword}
        error={errors.currentPassword ?? (error && !isOfField ? error.message : undefined)}
        onChange={(event) => set({ ...proof, currentPassword: event.currentTarget.value })}
      />
      {hasFactor ? (
        <TextInput
          label={account.code}
          autoComplete="one-time-code"
          required
          value={proof.code ?? ''}
          error={errors.code}
          onChange={(event) => set({ ...proof, code: event.currentTarget.value })}
        />
      ) : null}
    </>
  )
}

type ProvenProps = {
  readonly opened: boolean
  readonly close: () => void
  readonly title: string
  readonly action: string
  readonly run: (proof: Proof) => void
  readonly isRunning: boolean
  readonly error: Error | null
  /** It cannot be undone. */
  readonly isDangerous?: boolean
  readonly children?: ReactNode
}

/** A dialog that asks for the proof before it acts. */
export function Proven(props: ProvenProps) {
  const { opened, close, title, action, run, isRunning, error, isDangerous = false } = props
  const { common } = useTexts()
  const [proof, set] = useState<Proof>({ currentPassword: '' })
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          run(proof)
        }}
      >
        {props.children}
        <ProofFields {...{ proof, set, error }} />
        <div className="row ends">
          <Button variant="default" onClick={close}>
            {common.cancel}
          </Button>
          <Button type="submit" {...(isDangerous && { color: 'red' })} loading={isRunning}>
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
