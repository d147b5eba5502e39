import { useState } from 'react'
import { fieldErrors, useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { forgetToken } from '../../api/session.ts'
import { useTexts } from '../../texts/index.tsx'
import { Button, Card, PasswordInput, told } from '../../ui/index.ts'
import { type Proof, ProofFields } from './proof.tsx'

const NONE: Proof = { currentPassword: '' }

export function Password() {
  const { account } = useTexts()
  const [proof, setProof] = useState<Proof>(NONE)
  const [newPassword, setNew] = useState('')
  const change = useAction(
    (wanted: Proof & { newPassword: string }) =>
      client.POST('/v1/users/me/password', { body: { ...wanted, transport: 'cookie' } }),
    {
      changes: [['sessions']],
      done: () => {
        forgetToken()
        setProof(NONE)
        setNew('')
        told(account.passwordChanged, account.passwordChangedText)
      },
    },
  )
  const errors = fieldErrors(change.error)
  return (
    <Card title={account.changePassword}>
      <form
        className="stack form-width"
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate({ ...proof, newPassword })
        }}
      >
        <ProofFields
          proof={proof}
          set={setProof}
          error={'newPassword' in errors ? null : change.error}
        />
        <PasswordInput
          label={account.newPassword}
          description={account.newPasswordText}
          autoComplete="new-password"
          required
          minLength={10}
          value={newPassword}
          error={errors.newPassword}
          onChange={(event) => setNew(event.currentTarget.value)}
        />
        <div>
          <Button type="submit" loading={change.isPending}>
            {account.changePassword}
          </Button>
        </div>
      </form>
    </Card>
  )
}
