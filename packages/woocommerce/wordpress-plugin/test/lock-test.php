<?php
/** The lock of an order, on databases with named locks, with named locks that have no effect, and without them. */

/** Marks one order paid from several concurrent processes and returns their outcomes. */
function mark_paid_concurrently( string $locks, array $payments ): array {
	$running = array();
	foreach ( $payments as $payment ) {
		$command = array( PHP_BINARY, __DIR__ . '/mark-paid-worker.php', Shop_State::$folder, $locks, $payment );
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

$databases = array( 'mysql' => 'with named locks', 'sqlite' => 'with ineffective named locks', 'none' => 'without named locks' );
foreach ( $databases as $locks => $words ) {
	test(
		"Five concurrent mark-paid calls mark the order paid once on a database $words",
		static function () use ( $locks ): void {
			place_order();
			assert_same( array( 'already', 'already', 'already', 'already', 'recorded' ), mark_paid_concurrently( $locks, array_fill( 0, 5, 'payment-a' ) ) );
			assert_same( 1, stored_order()['completed'] );
			assert_same( 1, count( stored_order()['notes'] ) );
		}
	);

	test(
		"One of two concurrent payments marks the order paid on a database $words",
		static function () use ( $locks ): void {
			place_order();
			assert_same( array( 'other-payment', 'recorded' ), mark_paid_concurrently( $locks, array( 'payment-a', 'payment-b' ) ) );
			assert_same( 1, stored_order()['completed'] );
		}
	);

	test(
		"Work under a held lock is not run on a database $words",
		static function () use ( $locks ): void {
			Stubs::$locks = $locks;
			// The stub of the database stands for one connection: a new one is a second connection.
			$GLOBALS['wpdb'] = new Stub_Database();
			tillkit_with_lock(
				'1042',
				0,
				static function (): void {
					$done = 0;
					$GLOBALS['wpdb'] = new Stub_Database();
					assert_same( null, tillkit_with_lock( '1042', 0, static function () use ( &$done ): int {
						return ++$done;
					} ) );
					assert_same( 0, $done );
					assert_same( 'other order', tillkit_with_lock( '1043', 0, static function (): string {
						return 'other order';
					} ) );
				}
			);
			assert_same( 'free again', tillkit_with_lock( '1042', 0, static function (): string {
				return 'free again';
			} ) );
		}
	);

	test(
		"A lock is released after an exception on a database $words",
		static function () use ( $locks ): void {
			Stubs::$locks = $locks;
			try {
				tillkit_with_lock( '1042', 0, static function (): void {
					throw new DomainException( 'out of memory' );
				} );
			} catch ( DomainException $expected ) {
				unset( $expected );
			}
			assert_same( 'free', tillkit_with_lock( '1042', 0, static function (): string {
				return 'free';
			} ) );
		}
	);
}

test(
	'A row lock expires 120 seconds after its holder has died',
	static function (): void {
		Stubs::$locks = 'none';
		$work         = static function (): string {
			return 'done';
		};
		update_option( 'tillkit_lock_1042', ( time() - 110 ) . ' 00' );
		assert_same( null, tillkit_with_lock( '1042', 0, $work ) );
		update_option( 'tillkit_lock_1042', ( time() - 121 ) . ' 00' );
		assert_same( 'done', tillkit_with_lock( '1042', 0, $work ) );
		assert_same( false, get_option( 'tillkit_lock_1042' ) );
	}
);

test(
	'A row lock that a clock a month ahead has dated expires 120 seconds after the clock was set back',
	static function (): void {
		Stubs::$locks = 'none';
		$work         = static function (): string {
			return 'done';
		};
		update_option( 'tillkit_lock_1042', ( time() + 30 * 86400 ) . ' 00' );
		assert_same( null, tillkit_with_lock( '1042', 0, $work ) );
		$dated = (string) get_option( 'tillkit_lock_1042' );
		assert_same( true, (int) $dated <= time() );
		update_option( 'tillkit_lock_1042', ( (int) $dated - 121 ) . ' 00' );
		assert_same( 'done', tillkit_with_lock( '1042', 0, $work ) );
		assert_same( false, get_option( 'tillkit_lock_1042' ) );
	}
);

test(
	'A lock works in a shop with a very long table prefix',
	static function (): void {
		$GLOBALS['wpdb']         = new Stub_Database();
		$GLOBALS['wpdb']->prefix = str_repeat( 'shop_', 20 );
		assert_same( 'done', tillkit_with_lock( '1042', 0, static function (): string {
			return 'done';
		} ) );
		assert_same( false, get_option( 'tillkit_lock_1042' ) );
		$GLOBALS['wpdb'] = new Stub_Database();
	}
);
