import { useState } from 'react'
import { useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Button, Modal, refused, TextInput, told } from '../../ui/index.ts'
import { PanelPassword } from './panel-password.tsx'
import type { ServiceDetails } from './reads.ts'

/** What an entry of the menu of a server asks for. */
export type Question = 'name' | 'reinstall' | 'password'

type ServiceDialogsProps = {
  readonly service: ServiceDetails
  readonly asking: Question | null
  readonly close: () => void
}

/** The dialogs of the menu of a server. */
export function ServiceDialogs({ service, asking, close }: ServiceDialogsProps) {
  return (
    <>
      <Rename service={service} opened={asking === 'name'} close={close} />
      <PanelPassword id={service.id} opened={asking === 'password'} close={close} />
      <Reinstall service={service} opened={asking === 'reinstall'} close={close} />
    </>
  )
}

type DialogProps = {
  readonly service: ServiceDetails
  readonly opened: boolean
  readonly close: () => void
}

function Rename({ service: { id, name }, opened, close }: DialogProps) {
  const { services, common } = useTexts()
  const [text, setText] = useState(name)
  const rename = useAction(
    (wanted: string) =>
      client.PATCH('/v1/services/{id}', { params: { path: { id } }, body: { name: wanted } }),
    {
      changes: [['service', id], ['services']],
      done: () => {
        told(common.saved)
        close()
      },
    },
  )
  return (
    <Modal opened={opened} onClose={close} title={services.rename}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          rename.mutate(text.trim())
        }}
      >
        <TextInput
          label={services.newName}
          value={text}
          maxLength={191}
          required
          data-autofocus
          error={rename.error?.message}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div className="row ends">
          <Button variant="default" onClick={close}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={rename.isPending}>
            {common.save}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

function Reinstall({ service: { id, name }, opened, close }: DialogProps) {
  const { services, common } = useTexts()
  const reinstall = useAction(
    (_: null, intent) =>
      client.POST('/v1/services/{id}/reinstall', { params: { path: { id } }, ...intent }),
    {
      changes: [['service', id]],
      done: () => {
        told(services.reinstalling, name)
        close()
      },
      failed: (error) => refused(common.refused, error.message),
    },
  )
  return (
    <Modal opened={opened} onClose={close} title={services.reinstallTitle(name)}>
      <p className="dim">{services.reinstallText}</p>
      <div className="row ends">
        <Button variant="default" onClick={close} data-autofocus>
          {common.cancel}
        </Button>
        <Button color="red" loading={reinstall.isPending} onClick={() => reinstall.mutate(null)}>
          {services.reinstall}
        </Button>
      </div>
    </Modal>
  )
}
