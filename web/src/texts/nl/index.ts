import { account } from './account.ts'
import { billing } from './billing.ts'
import { common } from './common.ts'
import { home } from './home.ts'
import { incidents } from './incidents.ts'
import { navigation } from './navigation.ts'
import { notifications } from './notifications.ts'
import { services } from './services.ts'
import { tickets } from './tickets.ts'

export const nl = {
  account,
  billing,
  notifications,
  common,
  home,
  incidents,
  navigation,
  services,
  tickets,
}
