<?php
/** What is the same wherever the checkout server writes an order: whose write it is, the fence of the writers, refusals, answer and note. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/** How long a writer with a lower fence is refused after a writer with a higher fence. */
const TILLKIT_FENCE_LIFETIME_SECONDS = 600;

/** @return mixed The result of the work. Null if the lock was not free within that time, or was lost before a write. */
function tillkit_write_under_lock( string $lock, int $seconds, callable $work ) {
	try {
		return tillkit_host()->with_lock( $lock, $seconds, $work );
	} catch ( Tillkit_Stale_Write $stale ) {
		return null;
	}
}

/** @throws Tillkit_Stale_Write If another process may have read, since this one has, what is about to be written. */
function tillkit_assert_lock( string $lock ): void {
	if ( tillkit_host()->has_lost_lock( $lock ) ) {
		throw new Tillkit_Stale_Write();
	}
}

/** @return mixed The result of the work, whose changes of an order are the checkout server's and not the owner's. */
function tillkit_run_as_checkout_server( callable $work ) {
	$GLOBALS['tillkit_is_checkout_server_write'] = true;
	try {
		return $work();
	} finally {
		$GLOBALS['tillkit_is_checkout_server_write'] = false;
	}
}

function tillkit_is_checkout_server_write(): bool {
	return true === ( $GLOBALS['tillkit_is_checkout_server_write'] ?? false );
}

function tillkit_write_fence( string $order, int $fence, int $now ): string {
	return "$fence $now $order";
}

/**
 * A lower fence is accepted again after a while, because a checkout server restored from a backup starts with lower numbers. A fence
 * names its order: other plugins copy what an order stores to its child orders, whose writers have numbers of their own.
 *
 * @param string $stored From tillkit_write_fence().
 */
function tillkit_has_newer_writer( string $stored, string $order, int $fence, int $now ): bool {
	if ( ! preg_match( '/^([0-9]{1,18}) ([0-9]{1,12}) ([0-9]{1,19})\z/', $stored, $seen ) || $order !== $seen[3] ) {
		return false;
	}
	// A fence of the future was written while the clock was ahead: nobody knows its age.
	return (int) $seen[1] > $fence && abs( $now - (int) $seen[2] ) < TILLKIT_FENCE_LIFETIME_SECONDS;
}

function tillkit_older_writer(): Tillkit_Error {
	return new Tillkit_Error( 'tillkit_older_writer', tillkit_text( 'A newer process has just written this order.' ), 409 );
}

/** The order was set to paid when the owner accepted the payment, and is unpaid now. */
function tillkit_not_set_to_paid(): Tillkit_Error {
	return new Tillkit_Error( 'tillkit_not_set_to_paid', tillkit_text( 'The order is no longer set to paid.' ), 409 );
}

function tillkit_busy(): Tillkit_Error {
	return new Tillkit_Error( 'tillkit_busy', tillkit_text( 'The order is locked by another process. Try again.' ), 503 );
}

/**
 * The answer to `mark-paid`. It repeats order, payment and fence of the call, so that a cached answer is detected.
 *
 * @param array{status:?string,date_paid:?int,paid_by:?string} $shown What the order shows now.
 */
function tillkit_mark_paid_answer( string $outcome, array $fields, array $shown ): array {
	$repeated = array_intersect_key( $fields, array_flip( array( 'order', 'payment', 'fence', 'already_paid' ) ) );
	return array( 'outcome' => $outcome ) + $repeated + $shown;
}

/** The note of an order that is marked paid. */
function tillkit_paid_note( array $fields ): string {
	$provider = '' === $fields['provider'] ? '' : ' (' . tillkit_provider_name( $fields['provider'] ) . ')';
	/* translators: 1: the payment's id, 2: the transaction's id, 3: empty, or how the shopper paid, such as " (Wave)" */
	return sprintf( tillkit_text( 'Paid with Tillkit%3$s. Payment %1$s, transaction %2$s.' ), $fields['payment'], $fields['transaction'], $provider );
}

/** How a shopper paid, as shoppers know it. `$provider` as the payment service calls it; one that is new there is written as a name. */
function tillkit_provider_name( string $provider ): string {
	$names = array(
		'CARD' => tillkit_text( 'Card' ),
		'MTN'  => 'MTN MoMo',
		'SPI'  => 'SPI',
	);
	return $names[ $provider ] ?? ucwords( strtolower( str_replace( '_', ' ', $provider ) ) );
}
