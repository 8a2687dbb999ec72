// SPDX-License-Identifier: Apache-2.0
import { count, moment, type Figure } from '../lib/format';
import type { Layer } from './geometry';

/** What there is at one time of a chart: of a stretch of time the mean, and the peak within it. */
export function Tip(props: { time: number; index: number; rows: Layer[]; format: (value: Figure | undefined) => string; left: boolean; x: number; untold?: Figure }) {
  const { index, rows, format } = props;
  const peaks = rows.some((row) => row.peaks);
  return (
    <div className={props.left ? 'tip left' : 'tip'} style={{ left: props.x }}>
      <b>{moment(props.time)}</b>
      <table>
        {peaks && (
          <thead>
            <tr>
              <th />
              <th className="n">mean</th>
              <th className="n">peak</th>
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <td>
                <i className={`swatch c-${row.color.slice(2)}`} />
                {row.label}
              </td>
              <td className="n">{format(row.values[index])}</td>
              {peaks && <td className="n">{format(row.peaks?.[index])}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {(props.untold ?? 0) > 0 && <small>without {peaks ? 'up to ' : ''}{count(Math.ceil(props.untold ?? 0))} nodes, which did not tell</small>}
    </div>
  );
}
