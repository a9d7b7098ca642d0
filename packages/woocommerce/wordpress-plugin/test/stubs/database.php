<?php
/** A stub of $wpdb that knows only the statements of the plugin. An unknown statement fails the test. */
final class Stub_Database {
	public $prefix  = 'wp_';
	public $options = 'wp_options';
	/** @var array<string,resource> */
	private $held = array();

	public function prepare( string $sql, ...$values ): string {
		return $sql . "\0" . serialize( $values );
	}

	public function suppress_errors( bool $suppress = true ): bool {
		return false;
	}

	public function esc_like( string $text ): string {
		return addcslashes( $text, '_%\\' );
	}

	public function get_var( string $prepared ) {
		list( $sql, $values ) = $this->unpack( $prepared );
		switch ( $sql ) {
			case 'SELECT GET_LOCK(%s, %d)':
				return $this->get_lock( $values[0], $values[1] );
			case 'SELECT IS_USED_LOCK(%s) = CONNECTION_ID()':
				return isset( $this->held[ $values[0] ] ) && ! Stubs::$is_pooled ? '1' : null;
			case 'SELECT RELEASE_LOCK(%s)':
				if ( ! isset( $this->held[ $values[0] ] ) ) {
					return null;
				}
				fclose( $this->held[ $values[0] ] );
				unset( $this->held[ $values[0] ] );
				return '1';
			case 'SELECT option_value FROM wp_options WHERE option_name = %s':
				return Shop_State::read()['options'][ $values[0] ] ?? null;
		}
		throw new LogicException( "Unknown statement: $sql" );
	}

	/** As the database closes a connection that was silent for too long: WordPress opens another one, and tells nobody. */
	public function connect_again(): void {
		array_map( 'fclose', $this->held );
		$this->held = array();
	}

	public function query( string $prepared ): int {
		list( $sql, $values ) = $this->unpack( $prepared );
		$changed = 0;
		Shop_State::change(
			static function ( array $state ) use ( $sql, $values, &$changed ): array {
				$before           = $state['options'];
				$state['options'] = Stub_Database::options_after( $sql, $values, $before );
				$changed          = $before === $state['options'] ? 0 : 1;
				return $state;
			}
		);
		return $changed;
	}

	public static function options_after( string $sql, array $values, array $options ): array {
		switch ( $sql ) {
			case "INSERT IGNORE INTO wp_options (option_name, option_value, autoload) VALUES (%s, %s, 'no')":
				return $options + array( $values[0] => $values[1] );
			case 'UPDATE wp_options SET option_value = %s WHERE option_name = %s AND option_value = %s':
				return ( $options[ $values[1] ] ?? null ) === $values[2] ? array( $values[1] => $values[0] ) + $options : $options;
			case 'DELETE FROM wp_options WHERE option_name = %s AND option_value = %s':
				return ( $options[ $values[0] ] ?? null ) === $values[1] ? array_diff_key( $options, array( $values[0] => 1 ) ) : $options;
			case 'DELETE FROM wp_options WHERE option_name LIKE %s':
				$beginning = stripcslashes( rtrim( $values[0], '%' ) );
				return array_filter(
					$options,
					static function ( $name ) use ( $beginning ): bool {
						return 0 !== strpos( $name, $beginning );
					},
					ARRAY_FILTER_USE_KEY
				);
		}
		throw new LogicException( "Unknown statement: $sql" );
	}

	/** Like MySQL: "1" for an acquired lock, "0" for a timeout, null for an error. */
	private function get_lock( string $name, int $seconds ): ?string {
		if ( 'mysql' !== Stubs::$locks ) {
			return 'sqlite' === Stubs::$locks ? '1=1' : null;
		}
		if ( strlen( $name ) > 64 ) {
			return null;
		}
		$file  = fopen( Shop_State::$folder . '/lock-' . md5( $name ), 'c' );
		$until = microtime( true ) + $seconds;
		while ( ! flock( $file, LOCK_EX | LOCK_NB ) ) {
			if ( microtime( true ) >= $until ) {
				return '0';
			}
			usleep( 5000 );
		}
		$this->held[ $name ] = $file;
		return '1';
	}

	/** @return array{0:string,1:array} The statement and the values that prepare() has packed. */
	private function unpack( string $prepared ): array {
		list( $sql, $values ) = explode( "\0", $prepared, 2 );
		return array( $sql, unserialize( $values ) );
	}
}

$wpdb = new Stub_Database();
