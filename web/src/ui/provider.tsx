import './styles/mantine.css'
import './styles/tokens.css'
import './styles/app.css'
import './styles/forms.css'
import { MantineProvider } from '@mantine/core'
import { notificationsStore, useNotifications } from '@mantine/notifications'
import { setNonce } from 'get-nonce'
import { lazy, type ReactNode, Suspense } from 'react'
import { useTexts } from '../texts/index.tsx'
import { useOnceOpened } from './dialog.tsx'
import { resolver, theme } from './theme.ts'

/** The first script of the page has set the colours of the scheme already; here they are only stored. */
const remembered = {
  get: () => {
    const scheme = document.documentElement.getAttribute('data-mantine-color-scheme')
    return scheme === 'dark' ? ('dark' as const) : ('light' as const)
  },
  set: (value: string) => localStorage.setItem('scheme', value),
  clear: () => localStorage.removeItem('scheme'),
  subscribe: () => {},
  unsubscribe: () => {},
}

const Toasts = lazy(async () => ({ default: (await import('./toasts.tsx')).Toasts }))

/** The corner of the toasts, from the first one on. */
function Corner() {
  const { notifications } = useNotifications(notificationsStore)
  return useOnceOpened(notifications.length > 0) ? (
    <Suspense>
      <Toasts />
    </Suspense>
  ) : null
}

/** Look and toasts of everything inside. The policy of the page allows style elements with this `nonce`. */
export function Look({ nonce, children }: { nonce: string; children: ReactNode }) {
  const { common } = useTexts()
  const toasts = { defaultProps: { closeButtonProps: { 'aria-label': common.close } } }
  // Dialogs stop the page behind them from scrolling with a style element of their own.
  setNonce(nonce)
  return (
    <MantineProvider
      theme={{ ...theme, components: { ...theme.components, Notification: toasts } }}
      cssVariablesResolver={resolver}
      colorSchemeManager={remembered}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Corner />
      {children}
    </MantineProvider>
  )
}
