<?php
/** The lock of databases without named locks: a row of the options table, whose names are unique. */

defined( 'ABSPATH' ) || exit;

/** A lock whose holder died lapses after so many seconds. */
const TILLKIT_LOCK_LIFE = 120;

/** @return callable|null What gives the lock back. */
function tillkit_take_row_lock( string $name, int $seconds ): ?callable {
	$row   = 'tillkit_lock_' . $name;
	$until = microtime( true ) + $seconds;
	do {
		$token = time() . ' ' . bin2hex( random_bytes( 8 ) );
		if ( tillkit_insert_lock( $row, $token ) || tillkit_take_over_lock( $row, $token ) ) {
			return static function () use ( $row, $token ): void {
				global $wpdb;
				$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->options} WHERE option_name = %s AND option_value = %s", $row, $token ) );
			};
		}
		usleep( 100000 );
	} while ( microtime( true ) < $until );
	return null;
}

function tillkit_insert_lock( string $row, string $token ): bool {
	global $wpdb;
	$sql = "INSERT IGNORE INTO {$wpdb->options} (option_name, option_value, autoload) VALUES (%s, %s, 'no')";
	return 1 === $wpdb->query( $wpdb->prepare( $sql, $row, $token ) );
}

/** Compares and sets in one statement: of several that see a lapsed lock, one gets it. */
function tillkit_take_over_lock( string $row, string $token ): bool {
	global $wpdb;
	$held = (string) $wpdb->get_var( $wpdb->prepare( "SELECT option_value FROM {$wpdb->options} WHERE option_name = %s", $row ) );
	if ( '' === $held || (int) $held > time() - TILLKIT_LOCK_LIFE ) {
		return false;
	}
	$sql = "UPDATE {$wpdb->options} SET option_value = %s WHERE option_name = %s AND option_value = %s";
	return 1 === $wpdb->query( $wpdb->prepare( $sql, $token, $row, $held ) );
}
