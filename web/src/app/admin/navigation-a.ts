import { I } from '../../ui/index.ts'
import type { NavigationItem } from './navigation.ts'

export const navigationA: readonly NavigationItem[] = [
  {
    ...{ to: '/admin', label: 'overview', icon: I.ChartLine, group: 'start', key: 'a' },
    ...{ permissions: [], exact: true },
  },
]
