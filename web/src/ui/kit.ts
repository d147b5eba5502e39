/** The parts that come from the kit as they are. Only this folder knows its name. */
export {
  ActionIcon,
  Button,
  Checkbox,
  Menu,
  MultiSelect,
  PasswordInput,
  SegmentedControl,
  Select,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
  Tooltip,
} from '@mantine/core'
