<?php
/** Settles one order from several processes at once; answers their outcomes. */
function settle_at_once( string $locks, array $payments ): array {
	$running = array();
	foreach ( $payments as $payment ) {
		$command = array( PHP_BINARY, __DIR__ . '/settle-worker.php', Shop_State::$folder, $locks, $payment );
		$pipes   = array();
		$process = proc_open( $command, array( 1 => array( 'pipe', 'w' ) ), $pipes );
		$running[] = array( $process, $pipes[1] );
	}
	$outcomes = array();
	foreach ( $running as list( $process, $pipe ) ) {
		$outcomes[] = json_decode( stream_get_contents( $pipe ), true )['outcome'] ?? 'no answer';
		proc_close( $process );
	}
	sort( $outcomes );
	return $outcomes;
}

$databases = array( 'mysql' => 'with named locks', 'sqlite' => 'whose named locks lock nothing', 'none' => 'without named locks' );
foreach ( $databases as $locks => $words ) {
	test(
		"Five signals at once pay an order once, on a database $words",
		static function () use ( $locks ): void {
			place_order();
			same( array( 'already', 'already', 'already', 'already', 'recorded' ), settle_at_once( $locks, array_fill( 0, 5, 'payment-a' ) ) );
			same( 1, stored_order()['completed'] );
			same( 1, count( stored_order()['notes'] ) );
		}
	);

	test(
		"Two payments of one order at once: one pays it, on a database $words",
		static function () use ( $locks ): void {
			place_order();
			same( array( 'other-payment', 'recorded' ), settle_at_once( $locks, array( 'payment-a', 'payment-b' ) ) );
			same( 1, stored_order()['completed'] );
		}
	);

	test(
		"A lock that stays taken is busy, and nothing is done, on a database $words",
		static function () use ( $locks ): void {
			Stubs::$locks = $locks;
			// The other holder is another connection.
			$GLOBALS['wpdb'] = new Stub_Database();
			tillkit_locked(
				'1042',
				0,
				static function (): void {
					$done = 0;
					$GLOBALS['wpdb'] = new Stub_Database();
					same( null, tillkit_locked( '1042', 0, static function () use ( &$done ): int {
						return ++$done;
					} ) );
					same( 0, $done );
					same( 'other order', tillkit_locked( '1043', 0, static function (): string {
						return 'other order';
					} ) );
				}
			);
			same( 'free again', tillkit_locked( '1042', 0, static function (): string {
				return 'free again';
			} ) );
		}
	);

	test(
		"A lock is given back when the work fails, on a database $words",
		static function () use ( $locks ): void {
			Stubs::$locks = $locks;
			try {
				tillkit_locked( '1042', 0, static function (): void {
					throw new DomainException( 'out of memory' );
				} );
			} catch ( DomainException $expected ) {
				unset( $expected );
			}
			same( 'free', tillkit_locked( '1042', 0, static function (): string {
				return 'free';
			} ) );
		}
	);
}

test(
	'A row of a holder that died lapses after 120 seconds, not before',
	static function (): void {
		Stubs::$locks = 'none';
		$work         = static function (): string {
			return 'done';
		};
		update_option( 'tillkit_lock_1042', ( time() - 110 ) . ' 00' );
		same( null, tillkit_locked( '1042', 0, $work ) );
		update_option( 'tillkit_lock_1042', ( time() - 121 ) . ' 00' );
		same( 'done', tillkit_locked( '1042', 0, $work ) );
		same( false, get_option( 'tillkit_lock_1042' ) );
	}
);

test(
	'A shop with a very long table prefix has a lock as well',
	static function (): void {
		$GLOBALS['wpdb']         = new Stub_Database();
		$GLOBALS['wpdb']->prefix = str_repeat( 'shop_', 20 );
		same( 'done', tillkit_locked( '1042', 0, static function (): string {
			return 'done';
		} ) );
		same( false, get_option( 'tillkit_lock_1042' ) );
		$GLOBALS['wpdb'] = new Stub_Database();
	}
);
