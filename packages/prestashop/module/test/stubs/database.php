<?php
/**
 * The shop's database: SQLite in a file, so that several processes share one shop, with MySQL's named locks and with the traps of the shop's own
 * class: what reads one row adds a LIMIT, and everything is answered from a cache of queries unless it is told not to.
 */

final class Db {

	/** @var string The folder of the shop. */
	public static $folder = '';

	/** @var string As the database names itself. */
	public static $version = '10.11.6-MariaDB';

	/** @var Db|null */
	private static $instance = null;

	/** @var PDO */
	private $pdo;

	/** @var array<string,array> The cache of queries. */
	private $cache = array();

	/** @var int */
	private $affected = 0;

	/** @var array<string,array{file:resource,count:int}> The locks of this connection. */
	private $locks = array();

	public static function getInstance(): Db {
		self::$instance = self::$instance ?? new Db();
		return self::$instance;
	}

	/** Another request: nothing of this one is left, and the database frees its locks. */
	public static function close(): void {
		foreach ( null === self::$instance ? array() : self::$instance->locks as $lock ) {
			fclose( $lock['file'] );
		}
		self::$instance = null;
	}

	private function __construct() {
		$this->pdo = new PDO( 'sqlite:' . self::$folder . '/shop.db' );
		$this->pdo->setAttribute( PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION );
		$this->pdo->exec( 'PRAGMA busy_timeout = 30000' );
		$this->pdo->sqliteCreateFunction(
			'VERSION',
			static function (): string {
				return Db::$version;
			},
			0
		);
		$this->pdo->sqliteCreateFunction( 'GET_LOCK', array( $this, 'get_lock' ), 2 );
		$this->pdo->sqliteCreateFunction( 'RELEASE_LOCK', array( $this, 'release_lock' ), 1 );
		$this->pdo->sqliteCreateFunction(
			'IS_USED_LOCK',
			function ( string $name ): int {
				return isset( $this->locks[ $name ] ) ? 1 : 0;
			},
			1
		);
		$this->pdo->sqliteCreateFunction(
			'CONNECTION_ID',
			static function (): int {
				return 1;
			},
			0
		);
	}

	/** As the database closes a connection that was silent for too long: the shop opens another one, and tells nobody. */
	public function connect_again(): void {
		foreach ( $this->locks as $lock ) {
			fclose( $lock['file'] );
		}
		$this->locks = array();
	}

	public function executeS( string $sql, bool $array = true, bool $use_cache = true ) {
		if ( $use_cache && isset( $this->cache[ $sql ] ) ) {
			return $this->cache[ $sql ];
		}
		$rows = $this->pdo->query( $sql )->fetchAll( PDO::FETCH_ASSOC );
		if ( $use_cache ) {
			$this->cache[ $sql ] = $rows;
		}
		return $rows;
	}

	public function getValue( string $sql, bool $use_cache = true ) {
		$rows = $this->executeS( "$sql LIMIT 1", true, $use_cache );
		return array() === $rows ? false : reset( $rows[0] );
	}

	public function execute( string $sql, bool $use_cache = true ): bool {
		$statement      = preg_replace( array( '/^INSERT IGNORE/', '/^REPLACE INTO/', '/ ENGINE=.*$/' ), array( 'INSERT OR IGNORE', 'INSERT OR REPLACE INTO', '' ), $sql );
		$this->affected = $this->pdo->exec( $statement );
		$this->cache    = array();
		return true;
	}

	public function Affected_Rows(): int {
		return $this->affected;
	}

	public function Insert_ID(): int {
		return (int) $this->pdo->lastInsertId();
	}

	public function escape( string $text, bool $html_ok = false ): string {
		return str_replace( "'", "''", $html_ok ? $text : strip_tags( $text ) );
	}

	public function get_lock( string $name, int $seconds ): int {
		if ( isset( $this->locks[ $name ] ) ) {
			++$this->locks[ $name ]['count'];
			return 1;
		}
		$file  = fopen( self::$folder . "/lock-$name", 'c' );
		$until = microtime( true ) + $seconds;
		while ( ! flock( $file, LOCK_EX | LOCK_NB ) ) {
			if ( microtime( true ) >= $until ) {
				return 0;
			}
			usleep( 2000 );
		}
		$this->locks[ $name ] = array( 'file' => $file, 'count' => 1 );
		return 1;
	}

	public function release_lock( string $name ): int {
		if ( ! isset( $this->locks[ $name ] ) ) {
			return 0;
		}
		if ( 0 === --$this->locks[ $name ]['count'] ) {
			fclose( $this->locks[ $name ]['file'] );
			unset( $this->locks[ $name ] );
		}
		return 1;
	}
}

function pSQL( string $text, bool $html_ok = false ): string {
	return str_replace( "'", "''", $html_ok ? $text : strip_tags( $text ) );
}
