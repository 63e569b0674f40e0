import { expect, it } from 'vitest';
import { createBrake } from '../../../seams.ts';

it('lets nothing begin after a failure where the node stops at one', () => {
	const brake = createBrake(true);
	expect(brake.mayBegin()).toBe(true);
	brake.failed();
	brake.answered();
	expect(brake.mayBegin()).toBe(false);
});

it('holds a batch up while nothing is answered, and goes on when something is', () => {
	const brake = createBrake(true);
	for (let sent = 1; sent < 10; sent++) brake.unanswered();
	expect(brake.mayBegin()).toBe(true);
	brake.unanswered();
	expect(brake.mayBegin()).toBe(false);
	brake.answered();
	expect(brake.mayBegin()).toBe(true);
});

it('never holds up a node that continues on fail', () => {
	const brake = createBrake(false);
	brake.failed();
	for (let sent = 0; sent < 100; sent++) brake.unanswered();
	expect(brake.mayBegin()).toBe(true);
});
