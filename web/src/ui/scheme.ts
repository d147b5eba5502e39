import { useMantineColorScheme } from '@mantine/core'

/** The current colour scheme, and a function that changes to the other one. */
export function useScheme(): { isDark: boolean; toggle: () => void } {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const isDark = colorScheme === 'dark'
  return { isDark, toggle: () => setColorScheme(isDark ? 'light' : 'dark') }
}
