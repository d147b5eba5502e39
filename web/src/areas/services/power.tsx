import { useEffect, useState } from 'react'
import { useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Button, I, Modal, refused, told } from '../../ui/index.ts'
import type { Live, ServiceDetails } from './reads.ts'

type Action = 'start' | 'stop' | 'restart' | 'kill'
type PowerProps = { readonly service: ServiceDetails; readonly live: Live | undefined }

/** Start, restart and stop; `r` restarts, too. */
export function Power({ service: { id, name }, live }: PowerProps) {
  return (
    <PowerButtons
      {...{ name, live }}
      restartKey
      call={(action, intent) =>
        client.POST('/v1/services/{id}/power', {
          ...{ params: { path: { id } }, body: { action }, ...intent },
        })
      }
      changes={[['service', id, 'status']]}
    />
  )
}

type ButtonsProps = {
  readonly name: string
  readonly live: Live | undefined
  readonly call: Parameters<typeof useAction<Action, unknown>>[0]
  readonly changes: readonly (readonly unknown[])[]
  /** Whether the key `r` restarts the server. */
  readonly restartKey?: boolean
}

/** The buttons that fit the state of a server. The requested state is shown until the panel reports it. */
export function PowerButtons(props: ButtonsProps) {
  const { name, live, call, changes, restartKey = false } = props
  const { services, common } = useTexts()
  const [isAsking, ask] = useState(false)
  const power = useAction(call, {
    changes,
    done: (_, action) => told(services.asked[action], name),
    failed: (error) => refused(common.refused, error.message),
  })
  const state = live?.available ? live.state : null
  const isDown = state === 'offline'
  const { mutate, isPending, variables } = power
  useEffect(() => {
    if (!restartKey) return
    const pressed = (event: KeyboardEvent) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
      const isTyping = (event.target as HTMLElement).closest('input, textarea, [role=dialog]')
      if (event.key === 'r' && isPlain && !isTyping && !isDown) mutate('restart')
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [mutate, isDown, restartKey])
  const button = (action: Action, Art: typeof I.Home) => (
    <Button
      variant="default"
      leftSection={<Art size={16} aria-hidden />}
      loading={isPending && variables === action}
      onClick={() => mutate(action)}
    >
      {services[action]}
    </Button>
  )
  return (
    <fieldset className="row wrap plain">
      <legend className="sr">{services.power}</legend>
      {isDown ? (
        button('start', I.PlayerPlay)
      ) : (
        <>
          {button('restart', I.Refresh)}
          {state === 'stopping' ? (
            <Button variant="default" onClick={() => ask(true)}>
              {services.kill}
            </Button>
          ) : (
            button('stop', I.PlayerStop)
          )}
        </>
      )}
      <Modal opened={isAsking} onClose={() => ask(false)} title={services.killTitle(name)}>
        <p className="dim">{services.killText}</p>
        <div className="row ends">
          <Button variant="default" onClick={() => ask(false)} data-autofocus>
            {common.cancel}
          </Button>
          <Button
            color="red"
            onClick={() => {
              ask(false)
              mutate('kill')
            }}
          >
            {services.kill}
          </Button>
        </div>
      </Modal>
    </fieldset>
  )
}
