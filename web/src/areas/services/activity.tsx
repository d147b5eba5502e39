import { useTexts } from '../../texts/index.tsx'
import { Card, Empty, I } from '../../ui/index.ts'
import { ActivityList } from './activity-list.tsx'
import { ServiceFrame } from './frame.tsx'

/** Who did what on the server, as the panel tells it. */
export function ServiceActivity() {
  const { services } = useTexts()
  return (
    <ServiceFrame>
      {({ service: { id, role } }) =>
        role === 'owner' ? (
          <Card title={services.tabs.activity}>
            <ActivityList id={id} />
          </Card>
        ) : (
          <Empty icon={I.Lock} title={services.tabs.activity}>
            {services.activityOwner}
          </Empty>
        )
      }
    </ServiceFrame>
  )
}
