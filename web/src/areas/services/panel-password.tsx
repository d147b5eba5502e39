import { useState } from 'react'
import { useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Button, Copy, Once } from '../../ui/index.ts'
import { type Proof, Proven } from '../account/proof.tsx'

type PanelPasswordProps = {
  readonly id: string
  readonly opened: boolean
  readonly close: () => void
}

/** Sets a new password for the owner's account on the panel, and shows it once. */
export function PanelPassword({ id, opened, close }: PanelPasswordProps) {
  const { services, account } = useTexts()
  const [isShown, show] = useState(false)
  const renew = useAction(
    ({ currentPassword, code }: Proof) =>
      client.POST('/v1/services/{id}/panel-password', {
        params: { path: { id } },
        body: { ...(currentPassword && { currentPassword }), ...(code && { code }) },
      }),
    {
      done: () => {
        close()
        show(true)
      },
    },
  )
  const made = isShown ? renew.data : undefined
  return (
    <>
      <Proven
        opened={opened}
        close={close}
        title={services.panelPassword}
        action={services.panelPasswordSet}
        run={renew.mutate}
        isRunning={renew.isPending}
        error={renew.error}
      >
        <p className="dim">{services.panelPasswordText}</p>
      </Proven>
      <Once title={services.panelPassword} opened={made !== undefined} close={() => show(false)}>
        <p className="dim">{services.panelPasswordOnce}</p>
        <Copy big value={made?.username ?? ''} label={services.panelUsername} />
        <Copy big value={made?.password ?? ''} label={services.panelPassword} />
        <div className="row ends">
          <Button component="a" href={made?.url} target="_blank" rel="noreferrer" variant="default">
            {services.openPanel}
          </Button>
          <Button onClick={() => show(false)}>{account.done}</Button>
        </div>
      </Once>
    </>
  )
}
