import type { PartProps } from '@cord/sdk';
import { Card } from '@cord/ui';
import { type ComponentType, useEffect, useState } from 'react';
import s from './later.module.css';

type Shown = ComponentType<PartProps>;

/** A part whose code comes with it, in a file of its own. What does not come is the part's failure, and Retry asks again. */
function later(load: () => Promise<Shown>, Room: ComponentType): Shown {
  return function Later(props) {
    const [Component, setComponent] = useState<Shown | null>(null);
    useEffect(() => {
      let current = true;
      load().then(
        (loaded) => current && setComponent(() => loaded),
        (error: unknown) =>
          current &&
          setComponent(() => {
            throw error;
          }),
      );
      return () => {
        current = false;
      };
    }, []);
    return Component === null ? <Room /> : <Component {...props} />;
  };
}

/** As high as what comes. */
function CardRoom() {
  return (
    <Card>
      <div className={s.card} aria-hidden="true" />
    </Card>
  );
}

function ViewRoom() {
  return <div className={s.view} aria-busy="true" />;
}

export const EarningsCard = later(() => import('./earnings-card').then((file) => file.EarningsCard), CardRoom);
export const EarningsView = later(() => import('./earnings-view').then((file) => file.EarningsView), ViewRoom);
