<?php
/** A lock for databases without named locks: a row of the options table, where option names are unique. */

defined( 'ABSPATH' ) || exit;

/** A lock expires after this time, in case its holder has died. */
const TILLKIT_LOCK_LIFETIME_SECONDS = 120;

/** @return array{is_held:callable,release:callable}|null */
function tillkit_acquire_row_lock( string $name, int $seconds ): ?array {
	$row   = 'tillkit_lock_' . $name;
	$until = microtime( true ) + $seconds;
	do {
		$token = tillkit_new_lock_token();
		if ( tillkit_try_row_lock( $row, $token ) ) {
			// Dated anew in one statement, so that it does not expire between this question and the write.
			$is_held = static function () use ( $row, &$token ): bool {
				$held  = $token;
				$token = tillkit_new_lock_token();
				tillkit_replace_lock( $row, $held, $token );
				return tillkit_lock_holder( $row ) === $token;
			};
			$release = static function () use ( $row, &$token ): void {
				global $wpdb;
				$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->options} WHERE option_name = %s AND option_value = %s", $row, $token ) );
			};
			return compact( 'is_held', 'release' );
		}
		usleep( 100000 );
	} while ( microtime( true ) < $until );
	return null;
}

/** Begins with the time from which the lock is held. */
function tillkit_new_lock_token(): string {
	return time() . ' ' . bin2hex( random_bytes( 8 ) );
}

/**
 * The holder is read from the row because database drivers count changed rows differently. An expired lock is taken over by one
 * compare-and-set statement, so that only one of several processes gets it.
 */
function tillkit_try_row_lock( string $row, string $token ): bool {
	global $wpdb;
	$wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO {$wpdb->options} (option_name, option_value, autoload) VALUES (%s, %s, 'no')", $row, $token ) );
	$holder = tillkit_lock_holder( $row );
	if ( '' !== $holder && (int) $holder <= time() - TILLKIT_LOCK_LIFETIME_SECONDS ) {
		tillkit_replace_lock( $row, $holder, $token );
		$holder = tillkit_lock_holder( $row );
	}
	// A clock that was ahead has dated the lock: its holder keeps it for a whole lifetime from now on, and no longer.
	if ( (int) $holder > time() + TILLKIT_LOCK_LIFETIME_SECONDS ) {
		tillkit_replace_lock( $row, $holder, time() . ' dated anew' );
	}
	return $holder === $token;
}

function tillkit_replace_lock( string $row, string $holder, string $token ): void {
	global $wpdb;
	$wpdb->query( $wpdb->prepare( "UPDATE {$wpdb->options} SET option_value = %s WHERE option_name = %s AND option_value = %s", $token, $row, $holder ) );
}

function tillkit_lock_holder( string $row ): string {
	global $wpdb;
	return (string) $wpdb->get_var( $wpdb->prepare( "SELECT option_value FROM {$wpdb->options} WHERE option_name = %s", $row ) );
}
