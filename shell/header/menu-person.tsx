import { useSessionValue, useTexts } from '@cord/sdk';
import { Avatar, formatRank, Row } from '@cord/ui';
import { HEADER_TEXTS } from './texts';

/** Owner of the menu: picture, name and rank. */
export function MenuPerson({ size }: { size: 40 | 44 }) {
  const t = useTexts(HEADER_TEXTS);
  const name = useSessionValue(({ user }) => user?.username) ?? '';
  const avatar = useSessionValue(({ user }) => user?.avatar) ?? null;
  const rank = useSessionValue(({ user }) => user?.rank ?? null);
  return (
    <Row gap={12} align="center">
      <Avatar name={name} src={avatar} size={size} />
      <div className="l-narrow">
        <p className="t-600 t-cut" title={name}>
          {name}
        </p>
        <p className="t-note">{rank === null ? t.unranked : t.rank({ rank: formatRank(rank) })}</p>
      </div>
    </Row>
  );
}
