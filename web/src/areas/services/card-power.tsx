import { useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { I, type Icon, IconAction, refused, told } from '../../ui/index.ts'
import type { Service } from './reads.ts'

type CardPowerProps = { readonly service: Service; readonly isDown: boolean }

/** Start, or restart and stop, from the list of servers. */
export function CardPower({ service: { id, name }, isDown }: CardPowerProps) {
  const { services, common } = useTexts()
  const power = useAction(
    (action: 'start' | 'stop' | 'restart', intent) =>
      client.POST('/v1/services/{id}/power', {
        ...{ params: { path: { id } }, body: { action }, ...intent },
      }),
    {
      changes: [['services', 'status']],
      done: (_, action) => told(services.asked[action], name),
      failed: (error) => refused(common.refused, error.message),
    },
  )
  const button = (action: 'start' | 'stop' | 'restart', icon: Icon) => (
    <IconAction
      label={`${services[action]}: ${name}`}
      icon={icon}
      variant="subtle"
      loading={power.isPending && power.variables === action}
      onClick={() => power.mutate(action)}
    />
  )
  return (
    <span className="row above">
      {isDown ? (
        button('start', I.PlayerPlay)
      ) : (
        <>
          {button('restart', I.Refresh)}
          {button('stop', I.PlayerStop)}
        </>
      )}
    </span>
  )
}
