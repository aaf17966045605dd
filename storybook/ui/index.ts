/** The design system: stateless components, listed by what they are for. See README.md. */
export { initials } from '@cord/contracts/drawing/avatar';
export { type Strand, type StrandAdds, strandPercents } from '@cord/contracts/drawing/strands';
export { actionGate } from './actions/actionGate';
export {
  Button,
  ButtonLink,
  type ButtonLinkProps,
  type ButtonLook,
  type ButtonProps,
  type ButtonSize,
  type ButtonVariant,
  buttonClass,
} from './actions/Button';
export { ChipGroup, type ChipGroupProps, type ChipOption } from './actions/Chip';
export { CopyField, type CopyFieldProps } from './actions/CopyField';
export { IconButton, type IconButtonProps } from './actions/IconButton';
export { Link, LinkButton, type LinkProps } from './actions/Link';
export { type CopyState, useCopied } from './actions/useCopied';
export { cx } from './classNames';
export { CordDial, type CordDialProps, type DialState } from './cord/CordDial';
export { CordLine, type CordLineProps, cordThickness, PartedCord } from './cord/CordLine';
export { DialReading, type DialReadingProps } from './cord/DialReading';
export { useMotionAllowed } from './cord/useMotionAllowed';
export { EmptyState, type EmptyStateProps } from './feedback/EmptyState';
export { LoadingScreen, type LoadingScreenProps } from './feedback/LoadingScreen';
export { Notice, type NoticeProps, type NoticeTone } from './feedback/Notice';
export { Progress, type ProgressProps } from './feedback/Progress';
export { DialSkeleton, Skeleton, type SkeletonProps, SkeletonRegion } from './feedback/Skeleton';
export { Spinner, type SpinnerProps } from './feedback/Spinner';
export { TabErrorPanel, type TabErrorPanelProps } from './feedback/TabErrorPanel';
export { VisuallyHidden } from './feedback/VisuallyHidden';
export {
  type CordValue,
  epochLeftParts,
  type FormatCordOptions,
  formatAge,
  formatAgo,
  formatCord,
  formatCount,
  formatDuration,
  formatEpochLeft,
  formatHashRate,
  formatK,
  formatMultiplier,
  formatPercent,
  formatRank,
  formatRate,
  formatShort,
  formatSol,
  formatSpan,
  formatUsdQuote,
  percentOf,
  readNumberRules,
  setNumberLocale,
  shortenAddress,
  toMicro,
  UNKNOWN,
} from './format';
export { Input, type InputProps } from './forms/Input';
export { Switch, type SwitchProps } from './forms/Switch';
export { TextArea, type TextAreaProps } from './forms/TextArea';
export { Avatar, type AvatarProps } from './identity/Avatar';
export { BrandMark, DiscordMark, type MarkProps } from './identity/BrandMarks';
export { Logo, type LogoProps } from './identity/Logo';
export { TabIcon, type TabIconProps } from './identity/TabIcon';
export { Amount, type AmountProps } from './product/Amount';
export { type LedgerRow, LedgerRows, type LedgerRowsProps } from './product/LedgerRows';
export { type RateRow, RateTable, type RateTableProps, type StrandKey, StrandMark } from './product/RateTable';
export { TickingNumber, type TickingNumberProps } from './product/TickingNumber';
export {
  Badge,
  type BadgeProps,
  type BadgeTone,
  CategoryBadge,
  HonorBadge,
  MiningBadge,
  NodeBadge,
  type NodeState,
  WaitingBadge,
  WarningBadge,
  YouBadge,
} from './surfaces/Badge';
export { Card, type CardProps } from './surfaces/Card';
export { Cell, type CellProps, Cells, type CellsProps, StatusDot } from './surfaces/Cells';
export { type Column, Table, type TableProps } from './surfaces/Table';
export { setOverlayHost } from './triggers/close-by-back';
export { watchFocus } from './triggers/focus-return';
export { Menu, type MenuProps } from './triggers/menu';
export { loadOverlays, type Overlays, overlaysMissing, prefetchOverlays, useOverlays } from './triggers/on-demand';
export { type Toast, toasts } from './triggers/toast';
export { Toaster } from './triggers/toaster';
export { WhyAnswer, type WhyAnswerProps, type WhyInput } from './triggers/why-answer';
export { WhyNumber, type WhyNumberProps } from './triggers/why-number';
export { WhyPopover, type WhyPopoverProps } from './triggers/why-popover';
export { ENGLISH_WORDS, say, setWords, type Words } from './words';
