/** The design system: stateless components, grouped by purpose. See README.md. */
export { initials } from '@cord/contracts/drawing/avatar';
export { type Strand, type StrandAdds, strandPercents } from '@cord/contracts/drawing/strands';
export { actionGate } from './actions/action-gate';
export { BackButton, type BackButtonProps } from './actions/back-button';
export {
  Button,
  ButtonLink,
  type ButtonLinkProps,
  type ButtonLook,
  type ButtonProps,
  type ButtonSize,
  type ButtonVariant,
  buttonClass,
} from './actions/button';
export { ChipGroup, type ChipGroupProps, type ChipOption } from './actions/chip';
export { CopyField, type CopyFieldProps } from './actions/copy-field';
export { IconButton, type IconButtonProps } from './actions/icon-button';
export { Link, LinkButton, type LinkProps } from './actions/link';
export { type CopyState, useCopied } from './actions/use-copied';
export { cx } from './class-names';
export { CordDial, type CordDialProps, type DialState } from './cord/cord-dial';
export { CordLine, type CordLineProps, cordThickness, PartedCord } from './cord/cord-line';
export { DialReading, type DialReadingProps } from './cord/dial-reading';
export { useMotionAllowed } from './cord/use-motion-allowed';
export { EmptyState, type EmptyStateProps } from './feedback/empty-state';
export { Notice, type NoticeProps, type NoticeTone } from './feedback/notice';
export { Progress, type ProgressProps } from './feedback/progress';
export { DialSkeleton, Skeleton, type SkeletonProps, SkeletonRegion } from './feedback/skeleton';
export { Spinner, type SpinnerProps } from './feedback/spinner';
export { TabErrorPanel, type TabErrorPanelProps } from './feedback/tab-error-panel';
export { VisuallyHidden } from './feedback/visually-hidden';
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
  formatExact,
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
export { Input, type InputProps } from './forms/input';
export { Switch, type SwitchProps } from './forms/switch';
export { TextArea, type TextAreaProps } from './forms/text-area';
export { Avatar, type AvatarProps } from './identity/avatar';
export { BrandMark, DiscordMark, type MarkProps } from './identity/brand-marks';
export { Logo, type LogoProps } from './identity/logo';
export { TabIcon, type TabIconProps } from './identity/tab-icon';
export { Amount, type AmountProps } from './product/amount';
export { type LedgerRow, LedgerRows, type LedgerRowsProps } from './product/ledger-rows';
export { type RateRow, RateTable, type RateTableProps, type StrandKey, StrandMark } from './product/rate-table';
export { TickingNumber, type TickingNumberProps } from './product/ticking-number';
export { rem, remScale } from './rem';
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
} from './surfaces/badge';
export { Card, type CardProps } from './surfaces/card';
export { Cell, type CellProps, Cells, type CellsProps, StatusDot } from './surfaces/cells';
export { Fact, type FactProps } from './surfaces/fact';
export { Columns, type ColumnsProps, Row, type RowProps, Stack, type StackProps } from './surfaces/layout';
export { SettingRow, type SettingRowProps } from './surfaces/setting-row';
export { type Column, Table, type TableProps } from './surfaces/table';
export { PageHead, type PageHeadProps, ViewPage, type ViewPageProps } from './surfaces/view-page';
export { setOverlayHost } from './triggers/close-by-back';
export { watchFocus } from './triggers/focus-return';
export { Menu, type MenuProps } from './triggers/menu';
export { loadOverlays, type Overlays, overlaysMissing, prefetchOverlays, useOverlays } from './triggers/on-demand';
export { type Toast, toasts } from './triggers/toast';
export { Toaster } from './triggers/toaster';
export { WhyAnswer, type WhyAnswerProps, type WhyInput } from './triggers/why-answer';
export { WhyNumber, type WhyNumberProps } from './triggers/why-number';
export { WhyPopover, type WhyPopoverProps } from './triggers/why-popover';
export { setUiTexts, UI_TEXTS, type UiTexts, uiText } from './ui-texts';
