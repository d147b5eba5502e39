import { useTexts } from '../../texts/index.tsx'
import { I, Menu, OpeningMenu, type TargetProps } from '../../ui/index.ts'
import type { Question } from './dialogs.tsx'
import type { ServiceDetails } from './reads.ts'

type ServiceMenuProps = TargetProps & {
  readonly service: ServiceDetails
  readonly ask: (question: Question) => void
}

/** The rarely used actions of a server: each entry opens a dialog. */
export function ServiceMenu({ target, service, ask }: ServiceMenuProps) {
  const { services } = useTexts()
  const { panel, permissions, role, delivery } = service
  const isOwner = role === 'owner'
  const maySet = delivery === 'server' && (isOwner || permissions.includes('settings'))
  return (
    <OpeningMenu target={target} width={220}>
      <Menu.Dropdown>
        {isOwner ? (
          <Menu.Item leftSection={<I.Settings size={16} aria-hidden />} onClick={() => ask('name')}>
            {services.rename}
          </Menu.Item>
        ) : null}
        {isOwner && panel?.signOn === 'link' ? (
          <Menu.Item leftSection={<I.Key size={16} aria-hidden />} onClick={() => ask('password')}>
            {services.panelPassword}
          </Menu.Item>
        ) : null}
        {maySet ? (
          <Menu.Item
            leftSection={<I.RotateClockwise size={16} aria-hidden />}
            onClick={() => ask('reinstall')}
          >
            {services.reinstall}
          </Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </OpeningMenu>
  )
}
